import type { NodeAPI } from 'node-red'
import { pageName } from '../../shared/page-name.ts'
import type { Driver } from '../driver.ts'
import type { DriverContext, SpeakerKind } from '../speaker-kind.ts'
import { serveSpeakerPages } from './page-routes.ts'
import { createSpeakerPage } from './speaker-page.ts'

export function pageSpeaker(RED: NodeAPI): SpeakerKind {
  const createDriver = servePageDrivers(RED)
  return {
    create: ({ config }) => createDriver(nameOf(config)),
    devices: (config) => [`page ${pageName(nameOf(config))}`],
    page: (config) => pageName(nameOf(config)),
  }
}

function nameOf({ page, name }: DriverContext['config']): string {
  return String(page || name || 'speaker')
}

/** A deploy closes a speaker and creates it again; the browsers stay connected. */
const lingerMs = 5_000

/**
 * Serves the pages of speakers, `<httpNodeRoot>/parlando/speaker/<name>`. Called once: it adds routes.
 * @returns a function that creates the driver of the page with a name. It plays in the browsers that have the page open.
 */
export function servePageDrivers(RED: NodeAPI): (name: string) => Driver {
  const pages = serveSpeakerPages(RED)
  return (name) => {
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
}
