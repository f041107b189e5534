# Only names to cimport: see prover.pxd.
