import { describe } from 'vitest';
import { conversationsContract } from '../contracts/conversations.js';
import { createMemoryConversations } from './memory-conversations.js';

describe('in-memory conversations', () => conversationsContract(() => createMemoryConversations()));
