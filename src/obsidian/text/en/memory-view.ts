export const memoryView = {};
