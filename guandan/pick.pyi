# Only names to cimport: see pick.pxd.
