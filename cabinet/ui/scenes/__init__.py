"""The presenter's scenes, one module each: values of the machine in, parts of a Screen out."""
