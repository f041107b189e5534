# Makes this folder a package to Cython, so that its .pxd files come before installed ones.
