# Only names to cimport: see subhands.pxd.
