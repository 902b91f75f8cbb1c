import { useAndKill } from './use-and-kill.js';

useAndKill();
