# Only names to cimport: see prices.pxd.
