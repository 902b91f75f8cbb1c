import type { Toolset } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { analyzeWorkspace } from './analyze-workspace.js';
import { listValidationRules } from './list-validation-rules.js';
import { validateWorkspace } from './validate-workspace.js';

export const validationManager: Toolset<Services> = {
  name: 'validationManager',
  description: 'Checks a workspace for missing files, dead links, damage and similar names',
  tools: [validateWorkspace, listValidationRules, analyzeWorkspace],
};
