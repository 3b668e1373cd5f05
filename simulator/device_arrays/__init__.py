"""Arrays that live on devices: values, placement on request, donation."""
