/**
 * Unpacks Chromium from its npm package into the temporary folder, with its libraries, which it
 * unpacks only if it believes that it runs on AWS Lambda. tests/host/find-browser.ts runs this with
 * a temporary folder of its own.
 */
import chromium from '@sparticuz/chromium';

process.env.AWS_LAMBDA_JS_RUNTIME = '22.x';
await chromium.executablePath();
