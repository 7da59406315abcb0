import type { NodeAPI } from 'node-red'
import { pageName } from '../../shared/page-name.ts'
import type { Driver } from '../driver.ts'
import type { DriverContext, SpeakerKind } from '../speaker-kind.ts'
import { speakerPages } from './page-routes.ts'
import { createSpeakerPage } from './speaker-page.ts'

export const pageSpeaker: SpeakerKind = {
  create: ({ RED, config }) => createPageDriver(RED, nameOf(config)),
  devices: (config) => [`page ${pageName(nameOf(config))}`],
  page: (config) => pageName(nameOf(config)),
}

function nameOf({ page, name }: DriverContext['config']): string {
  return String(page || name || 'speaker')
}

/** A deploy closes a speaker and creates it again; the browsers stay connected. */
const lingerMs = 5_000

/** Plays sounds on a page that is open in browsers, `<httpNodeRoot>/parlando/speaker/<name>`. */
export function createPageDriver(RED: NodeAPI, name: string): Driver {
  const pages = speakerPages(RED)
  const path = pageName(name)
  const page = pages.get(path) ?? createSpeakerPage(RED, path)
  pages.open(path, name, page)
  page.uses += 1
  clearTimeout(page.closing)
  const closePage = () => {
    if (pages.get(path) === page) pages.close(path)
    page.close()
  }
  return {
    ...page.browsers,
    showAlarms: page.showAlarms,
    async close() {
      page.uses -= 1
      if (page.uses === 0) page.closing = setTimeout(closePage, lingerMs).unref()
    },
  }
}
