import type { NodeAPI } from 'node-red'
import { pageName } from '../../page-server/page-name.ts'
import { servePages } from '../../page-server/pages.ts'
import { MicrophonePage, type MicrophonePageOptions } from './microphone-page.ts'

/** Ten packets of 20 ms. Browsers send each packet in a message of its own. */
const maxMessageBytes = 6400

/** The pages of the microphones, `<httpNodeRoot>/parlando/microphone/<name>`. Called once: it adds routes. */
export function serveMicrophonePages(RED: NodeAPI) {
  const pages = servePages<MicrophonePage>(RED, {
    kind: 'microphone',
    unknown: 'microphone.error.no-page',
    countOpen: (page) => page.connected,
    scripts: {
      'microphone-page.js': 'microphone.js',
      'microphone-worklet.js': 'microphone-worklet.js',
    },
    maxMessageBytes,
    connect: (page, socket, { address }) => page.connect(socket, address),
  })
  return {
    /**
     * Opens the page of a microphone until it is closed.
     * @returns nothing if another microphone has the name.
     */
    open(name: string, options: MicrophonePageOptions) {
      const path = pageName(name)
      if (pages.get(path)) return undefined
      const page = new MicrophonePage(options)
      pages.open(path, name, page)
      return {
        stop: () => page.stop(),
        show: page.show.bind(page),
        wake: page.wake.bind(page),
        async close() {
          pages.close(path)
          await page.close()
        },
      }
    },
  }
}

export type MicrophonePages = ReturnType<typeof serveMicrophonePages>
