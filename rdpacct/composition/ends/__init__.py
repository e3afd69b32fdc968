"""What bounds a sum of losses beside the methods: what is known without composing it, and ramps."""
