# Only names to cimport: see collect.pxd.
