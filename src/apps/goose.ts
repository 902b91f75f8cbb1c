import type { AiApp } from './ai-app.js';

export const goose: AiApp = {
  id: 'goose',
  title: 'Goose',
  acp: {
    command: 'goose',
    args: ['acp'],
    install: undefined,
    homepage: 'https://block.github.io/goose',
  },
};
