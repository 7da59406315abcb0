import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream'

/** Where the build puts the pages, from the folder of a node. */
const folder = join(__dirname, '../../pages')

/** A page loads its own scripts, and talks only to its own server. */
const securityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** Sends a page whose placeholder `{{name}}` is replaced by a text. */
export function sendPage(response: ServerResponse, file: string, name: string): Promise<void> {
  return sendFilled(response, file, { name: escapeHtml(name) })
}

async function sendFilled(
  response: ServerResponse,
  file: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    const html = await readFile(join(folder, file), 'utf8')
    response.writeHead(200, headersFor('text/html'))
    response.end(html.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? ''))
  } catch {
    response.destroy()
  }
}

export function sendScript(response: ServerResponse, file: string): void {
  response.writeHead(200, headersFor('text/javascript'))
  // Closes the file too if the browser disconnects.
  pipeline(createReadStream(join(folder, file)), response, () => {})
}

function headersFor(mediaType: string): Record<string, string> {
  return {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': securityPolicy,
    'X-Content-Type-Options': 'nosniff',
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
