import * as z from 'zod';

// Code that is built at run time is forbidden in plugins, and takes a short-lived process longer
// than it saves.
z.config({ jitless: true });
