/*
 * Where the stand-in's module differs from obsidian.d.ts. obsidian.test.ts holds these lists to the letter.
 */

/** Declared names that the stand-in does not have: to ask for one throws. */
export const absent: readonly string[] = [
  'moment',
  // Bases and their values
  ...['BasesEntry', 'BasesEntryGroup', 'BasesQueryResult', 'BasesView', 'BasesViewConfig', 'QueryController', 'parsePropertyId'],
  ...['Value', 'NotNullValue', 'NullValue', 'PrimitiveValue', 'BooleanValue', 'NumberValue', 'StringValue', 'DateValue', 'DurationValue'],
  ...['RelativeDateValue', 'RegExpValue', 'ListValue', 'ObjectValue', 'TagValue', 'LinkValue', 'UrlValue', 'FileValue', 'HTMLValue'],
  ...['IconValue', 'ImageValue'],
  // CodeMirror, and what stands on it
  ...['EditorSuggest', 'MarkdownEditView', 'editorEditorField', 'editorInfoField', 'editorLivePreviewField', 'editorViewField'],
  'livePreviewState',
  // Libraries that the app loads when they are asked for
  ...['loadMathJax', 'loadMermaid', 'loadPdfJs', 'loadPrism', 'renderMath', 'finishRenderMath'],
];

/** Members that are not declared: the host's own handles, and what its parts need of each other. No plugin may use them. */
export const extras: Readonly<Record<string, readonly string[]>> = {
  App: ['cliCommands', 'commands', 'hoverLinkSources', 'plugins', 'protocolHandlers', 'setting', 'viewRegistry'],
  HoverPopover: ['hide', 'show'],
  Keymap: ['listen'],
  Menu: ['dom', 'select'],
  MenuItem: ['disabled', 'dom', 'section', 'use'],
  MenuSeparator: ['dom', 'section'],
  Modal: ['focusInitially'],
  PluginSettingTab: ['plugin'],
  PopoverSuggest: ['inputOf', 'isOpen', 'list', 'suggestEl'],
  Scope: ['handleKey'],
  SettingGroup: ['groupEl'],
  SettingTab: ['renderer', 'show'],
  Vault: ['loadTree'],
  View: ['closeView', 'openView'],
  Workspace: [
    ...['addLeaf', 'addTabs', 'app', 'build', 'close', 'floatingSplit', 'onFileShown', 'onLayoutChanged', 'onLeafClosing'],
    ...['restoreLayout', 'saveLayout', 'setReady', 'showPaneMenu'],
  ],
  WorkspaceItem: ['containerEl', 'workspace'],
  WorkspaceLeaf: ['app', 'defer', 'group', 'id', 'pinned', 'updateHeader'],
  WorkspaceMobileDrawer: ['side'],
  WorkspaceParent: ['children', 'insertChild', 'leaves', 'onEmpty', 'removeChild'],
  WorkspaceRibbon: ['actionsEl', 'containerEl'],
  WorkspaceSidedock: ['side'],
  WorkspaceSplit: ['direction'],
};

/** Types that TypeScript does not take for the declared ones: they take and give classes of the stand-in, which have private parts. */
export const looser: readonly string[] = [
  ...[
    'AbstractInputSuggest',
    'AbstractTextComponent',
    'App',
    'Component',
    'ConfirmationModal',
    'EditableFileView',
    'FileManager',
    'FileView',
  ],
  ...[
    'FuzzySuggestModal',
    'HoverPopover',
    'ItemView',
    'MarkdownPreviewView',
    'MarkdownRenderChild',
    'MarkdownRenderer',
    'MarkdownView',
    'Menu',
  ],
  ...['MetadataCache', 'Modal', 'Plugin', 'PluginSettingTab', 'PopoverSuggest', 'RenderContext', 'SettingTab', 'SuggestModal'],
  ...['TAbstractFile', 'TFile', 'TFolder', 'TextFileView', 'ValueComponent', 'Vault', 'View', 'Workspace'],
  ...[
    'WorkspaceContainer',
    'WorkspaceFloating',
    'WorkspaceItem',
    'WorkspaceLeaf',
    'WorkspaceMobileDrawer',
    'WorkspaceParent',
    'WorkspaceRoot',
    'WorkspaceSidedock',
  ],
  ...['WorkspaceSplit', 'WorkspaceTabs', 'WorkspaceWindow'],
];
