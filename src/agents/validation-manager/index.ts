import type { Agent } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { analyzeWorkspace } from './analyze-workspace.js';
import { listValidationRules } from './list-validation-rules.js';
import { validateWorkspace } from './validate-workspace.js';

export const validationManager: Agent<Services> = {
  name: 'validationManager',
  description: 'What in a workspace is missing, broken or easily confused',
  tools: [validateWorkspace, listValidationRules, analyzeWorkspace],
};
