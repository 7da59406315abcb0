import type { Locator, Page } from 'playwright-core'

export async function openForm(page: Page, id: string): Promise<void> {
  // Not by a double click: a busy machine can make two clicks of it.
  await page.locator(`[id="${id}"]`).click()
  await page.keyboard.press('Enter')
  await waitForForm(page, '#node-dialog-ok')
}

/** Opens the fields below *More* in the open form. */
export async function openMore(page: Page): Promise<void> {
  await page.locator('.red-ui-tray').last().locator('.parlando-more:not([open]) > summary').click()
}

/** Opens the form of a new service from the form of a node. */
export async function openNewService(page: Page): Promise<void> {
  await page.click('#node-input-btn-service-add')
  await waitForForm(page, '#node-config-dialog-ok')
}

/** Opens the form of a new speaker from the form of a node. */
export async function openNewSpeaker(page: Page): Promise<void> {
  await page.click('#node-input-btn-speaker-add')
  await waitForForm(page, '#node-config-dialog-ok')
}

/** Opens the form of the service that is selected in the form of a node. */
export async function openService(page: Page): Promise<void> {
  await page.click('#node-input-btn-service-edit')
  await waitForForm(page, '#node-config-dialog-ok')
}

/** Waits until the form with this button is open: its last step is to take the focus. */
async function waitForForm(page: Page, button: string): Promise<void> {
  await page.locator(button).waitFor()
  await page.waitForFunction((button) => {
    const form = document.querySelector(button)?.closest('.red-ui-tray')
    return form?.contains(document.activeElement)
  }, button)
}

/** Closes the form of a service with the given button and waits for the end of the animation. */
export async function closeService(page: Page, button: 'ok' | 'cancel' = 'ok'): Promise<void> {
  await page.click(`#node-config-dialog-${button}`)
  await page.locator('#node-config-dialog-ok').waitFor({ state: 'detached' })
}

/** Closes the form of a node with the given button and waits for the end of the animation. */
export async function closeForm(page: Page, button: 'ok' | 'cancel' = 'ok'): Promise<void> {
  await page.click(`#node-dialog-${button}`)
  await page.locator('#node-dialog-ok').waitFor({ state: 'detached' })
}

/** The options of the open list. */
export function listedChoices(page: Page): Locator {
  return page.locator('.parlando-choices [role=option]')
}
