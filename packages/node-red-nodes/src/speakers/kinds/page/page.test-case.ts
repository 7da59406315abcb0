import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import type { CreateDriverCase } from '../../test-suites/driver-test-case.ts'
import { servePageDrivers } from './page.ts'

const createCase: CreateDriverCase = async () => {
  const http = await startFakeHttpRed()
  const createDriver = servePageDrivers(http.RED)
  const driver = createDriver('Kitchen')
  const browser = await openPage(http.baseUrl, 'kitchen')
  return {
    driver,
    record: browser.record,
    broken: { driver: createDriver('Nobody'), code: 'NO_PLAYER' },
    async close() {
      browser.close()
      await http.close()
    },
  }
}

export default createCase
