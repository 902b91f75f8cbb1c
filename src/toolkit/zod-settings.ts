import * as z from 'zod';

// Plugins may not generate code, which also costs a short-lived process more than it saves.
z.config({ jitless: true });
