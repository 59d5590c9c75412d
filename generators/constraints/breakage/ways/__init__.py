"""Which ways are there to break a program? One file each, registered by `way`."""
