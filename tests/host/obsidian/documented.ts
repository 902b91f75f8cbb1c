/*
 * The module `obsidian` that plugins get: only what obsidian.d.ts declares (see obsidian.test.ts).
 */

export { FileSystemAdapter, CapacitorAdapter } from './adapter';
export { App } from './app';
export { Component } from './component';
export {
  AbstractTextComponent,
  BaseComponent,
  ButtonComponent,
  ColorComponent,
  DisplayValueComponent,
  DropdownComponent,
  ExtraButtonComponent,
  MomentFormatComponent,
  ProgressBarComponent,
  SearchComponent,
  SecretComponent,
  SliderComponent,
  TextAreaComponent,
  TextComponent,
  ToggleComponent,
  ValueComponent,
} from './components';
export { ConfirmationButton, ConfirmationModal } from './confirmation-modal';
export { Editor } from './editor';
export { Events } from './events';
export { FileManager } from './file-manager';
export {
  prepareFuzzySearch,
  prepareSimpleSearch,
  renderMatches,
  renderResults,
  sortSearchResults,
} from './fuzzy';
export { HoverPopover, PopoverState, RenderContext } from './hover';
export { htmlToMarkdown } from './html-to-markdown';
export { addIcon, getIcon, getIconIds, removeIcon, setIcon } from './icons';
export { Keymap, Scope } from './keymap';
export {
  WorkspaceContainer,
  WorkspaceFloating,
  WorkspaceItem,
  WorkspaceMobileDrawer,
  WorkspaceParent,
  WorkspaceRibbon,
  WorkspaceRoot,
  WorkspaceSidedock,
  WorkspaceSplit,
  WorkspaceTabs,
  WorkspaceWindow,
} from './layout';
export { WorkspaceLeaf } from './leaf';
export {
  getLinkpath,
  iterateCacheRefs,
  iterateRefs,
  parseLinktext,
  resolveSubpath,
  stripHeading,
  stripHeadingForLink,
} from './links';
export {
  MarkdownPreviewRenderer,
  MarkdownPreviewView,
  MarkdownRenderChild,
  MarkdownRenderer,
  sanitizeHTMLToDom,
} from './markdown';
export { MarkdownView } from './markdown-view';
export { Menu, MenuItem, MenuSeparator } from './menu';
export { MetadataCache } from './metadata';
export { getAllTags } from './metadata-parser';
export { Modal } from './modal';
export { Notice } from './notice';
export { apiVersion, getLanguage, Platform, requireApiVersion } from './platform';
export { Plugin } from './plugin';
export { AbstractInputSuggest, PopoverSuggest } from './popover-suggest';
export { SecretStorage } from './secret-storage';
export { Setting, SettingGroup } from './setting';
export { PluginSettingTab, SettingPage, SettingTab } from './setting-tab';
export { FuzzySuggestModal, SuggestModal } from './suggest-modal';
export { displayTooltip, setTooltip } from './tooltip';
export {
  arrayBufferToBase64,
  arrayBufferToHex,
  base64ToArrayBuffer,
  debounce,
  getBlobArrayBuffer,
  hexToArrayBuffer,
  normalizePath,
  request,
  requestUrl,
  Tasks,
} from './utilities';
export { TAbstractFile, TFile, TFolder, Vault } from './vault';
export { EditableFileView, FileView, ItemView, TextFileView, View } from './views';
export { Workspace } from './workspace';
export {
  getFrontMatterInfo,
  parseFrontMatterAliases,
  parseFrontMatterEntry,
  parseFrontMatterStringArray,
  parseFrontMatterTags,
  parseYaml,
  stringifyYaml,
} from './yaml';
