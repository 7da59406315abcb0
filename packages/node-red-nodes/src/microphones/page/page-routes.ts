import type { NodeAPI } from 'node-red'
import { type Pages, servePages } from '../../page-server/pages.ts'
import { pageName } from '../../shared/page-name.ts'
import { createMicrophonePage, type MicrophonePage, type MicrophonePageOptions } from './page.ts'

/** Ten packets of 20 ms. Browsers send each packet in a message of its own. */
const maxMessageBytes = 6400

const pagesOf = new WeakMap<NodeAPI, Pages<MicrophonePage>>()

/**
 * Opens the page of a microphone, `<httpNodeRoot>/parlando/microphone/<name>`, until it is closed.
 * @returns nothing if another microphone has the name.
 */
export function openMicrophonePage(
  RED: NodeAPI,
  name: string,
  options: MicrophonePageOptions,
): Pick<MicrophonePage, 'stop' | 'show' | 'close'> | undefined {
  const pages = pagesOf.get(RED) ?? serveMicrophonePages(RED)
  pagesOf.set(RED, pages)
  const path = pageName(name)
  if (pages.get(path)) return undefined
  const page = createMicrophonePage(options)
  pages.open(path, name, page)
  return {
    stop: page.stop,
    show: page.show,
    close() {
      pages.close(path)
      page.close()
    },
  }
}

function serveMicrophonePages(RED: NodeAPI): Pages<MicrophonePage> {
  return servePages<MicrophonePage>(RED, {
    kind: 'microphone',
    texts: {
      title: 'microphone.pages.title',
      none: 'microphone.pages.none',
      unknown: 'microphone.error.no-page',
    },
    scripts: {
      'microphone-page.js': 'microphone.js',
      'microphone-worklet.js': 'microphone-worklet.js',
    },
    maxMessageBytes,
    connect: (page, socket, { address }) => page.connect(socket, address),
  })
}
