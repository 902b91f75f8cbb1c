/**
 * The plugin's one stylesheet: no colour, font or shadow of its own, and no rule that reaches
 * outside of what is its own.
 */
const fromVariable = /^(?:var\(--[\w-]+\)|inherit|currentcolor|transparent|none)$/i;
const reachesOutside = /^(?!.*(?:\.|\[data-type=["'])savepoint-)/s;

export default {
  extends: 'stylelint-config-standard',
  rules: {
    'declaration-no-important': true,
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': [
      'rgb',
      'rgba',
      'hsl',
      'hsla',
      'hwb',
      'lab',
      'lch',
      'oklab',
      'oklch',
      'color',
      'color-mix',
      'url',
    ],
    'declaration-property-value-allowed-list': {
      '/^(?:color|background|background-color|fill|stroke|caret-color|outline-color)$/': [
        fromVariable,
      ],
      '/^border(?:-[a-z]+)*-color$/': [fromVariable],
      '/^(?:box|text)-shadow$/': [/^(?:none|var\(--[\w-]+\))$/],
      'font-family': [/^(?:inherit|var\(--font-[\w-]+\))$/],
      'font-size': [/^(?:inherit|var\(--[\w-]+\)|[\d.]+em)$/],
      'font-weight': [/^(?:inherit|var\(--[\w-]+\))$/],
      'z-index': [/^(?:[01]|auto|var\(--layer-[\w-]+\))$/],
      font: ['inherit'],
    },
    'no-descending-specificity': null, // the rules stand view by view
    'at-rule-disallowed-list': ['import', 'font-face'],
    'selector-max-id': 0,
    'selector-disallowed-list': [
      [reachesOutside],
      {
        splitList: true,
        ignore: ['inside-block'],
        message: 'Begin at a class of the plugin (".savepoint-…").',
      },
    ],
  },
};
