# Only names to cimport: see proofs.pxd.
