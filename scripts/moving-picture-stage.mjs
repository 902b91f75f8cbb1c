/** Draws a frame of the moving picture: a caption above a screenshot or the text of a terminal. */

/** Sizes in pixels of a frame and of what is shown below its caption. */
export const STAGE = {
  width: 960,
  height: 724,
  computer: { width: 960, height: 668 },
  phone: { width: 336, height: 640 },
};

const STYLES = `
  * { box-sizing: border-box; margin: 0; }
  body { width: ${STAGE.width}px; height: ${STAGE.height}px; background: #d9d6e4; }
  h1 { height: 56px; padding: 0 24px; background: #332a52; color: #fff; font: 600 24px/56px sans-serif; }
  .computer img { display: block; }
  .phone main { padding-top: 10px; }
  .phone img { display: block; margin: auto; border: 4px solid #222; border-radius: 16px; }
  pre { height: ${STAGE.computer.height}px; padding: 20px 24px; background: #1b1926; color: #e6e3f0; white-space: pre-wrap; font: 15px/1.5 monospace; }
  pre b { color: #a5e29b; }
`;

/**
 * Draws a frame in a page of the stage's size.
 * @param {import('playwright-core').Page} page
 * @param {{ kind: 'computer' | 'terminal' | 'phone', caption: string, picture?: Buffer, command?:
 * string, output?: string }} frame
 */
export async function drawFrame(page, { kind, caption, picture, command, output }) {
  const content =
    kind === 'terminal'
      ? `<pre><b>$</b> ${escaped(command)}\n${escaped(output)}</pre>`
      : `<img src="data:image/png;base64,${picture.toString('base64')}">`;
  await page.setContent(
    `<style>${STYLES}</style><body class="${kind}"><h1>${escaped(caption)}</h1><main>${content}</main>`,
  );
  await page.evaluate(() =>
    Promise.all([...globalThis.document.images].map((image) => image.decode())),
  );
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
