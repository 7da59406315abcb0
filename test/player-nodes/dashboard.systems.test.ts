import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { findProgram } from '@parlando/test-support/programs/installed-programs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  expectAnnounced,
  expectStopped,
  type PlayerFlow,
  place,
  played,
  startPlayerFlow,
} from './player-flow.ts'

const dashboard = [
  { id: 'base', type: 'ui-base', name: 'Dashboard', path: '/dashboard' },
  { id: 'theme', type: 'ui-theme', name: 'Theme', colors: {}, sizes: {} },
  {
    id: 'page',
    type: 'ui-page',
    name: 'Page',
    ui: 'base',
    path: '/page',
    layout: 'grid',
    theme: 'theme',
    order: 1,
    visible: 'true',
    disabled: 'false',
  },
  {
    id: 'group',
    type: 'ui-group',
    name: 'Group',
    page: 'page',
    width: '6',
    height: '1',
    order: 1,
    showTitle: true,
    visible: 'true',
    disabled: 'false',
  },
  {
    ...place,
    id: 'player',
    type: 'ui-audio',
    mode: 'src',
    group: 'group',
    ui: '',
    order: 1,
    width: 0,
    height: 0,
    src: '',
    autoplay: 'off',
    loop: 'off',
    muted: 'off',
    passthru: false,
    wires: [['ended']],
  },
  {
    ...place,
    id: 'ended',
    type: 'switch',
    property: '_event',
    propertyType: 'msg',
    rules: [{ t: 'eq', v: 'ended', vt: 'str' }],
    outputs: 1,
    wires: [['played']],
  },
  played,
]

describe('the messages for the audio widget of Dashboard 2', () => {
  let pulse: Pulse
  let flow: PlayerFlow
  let browser: Browser
  beforeAll(async () => {
    pulse = await startPulse()
    flow = await startPlayerFlow('dashboard-2', dashboard)
    browser = await chromium.launch({
      executablePath: findProgram('chromium')!,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      ignoreDefaultArgs: ['--mute-audio'],
      env: pulse.environment as Record<string, string>,
    })
    const page = await browser.newPage()
    await page.goto(`${flow.nodeRed.baseUrl}/dashboard/page`)
    await page.locator('audio').waitFor()
    await page.mouse.click(600, 400)
  })
  afterAll(async () => {
    await browser?.close()
    await flow?.close()
    await pulse?.stop()
  })

  it('play an announcement to its end, which the page reports', () =>
    expectAnnounced(flow, pulse, 'player'))

  it('stop an announcement, and play the next one', async () => {
    await expectStopped(flow, pulse)
    await expectAnnounced(flow, pulse, 'player')
  })
})
