import type { Page } from 'playwright-core'

/**
 * Compares the texts of the open form with the space for them. Includes fields that the form hides at the moment.
 * @returns the labels that need a second line, and the options that their select cuts off.
 */
export function findClippedTexts(page: Page): Promise<string[]> {
  const forms = '#dialog-form, #node-config-dialog-edit-form'
  return page
    .locator(forms)
    .last()
    .evaluate((form) => {
      const lineHeight = 20
      const arrowWidth = 20
      for (const more of Array.from(form.querySelectorAll('details'))) more.open = true
      for (const row of Array.from(form.querySelectorAll<HTMLElement>('.form-row')))
        row.style.display = ''
      const labels = Array.from(form.querySelectorAll<HTMLElement>('.form-row > label'))
        .filter(({ offsetHeight }) => offsetHeight >= 2 * lineHeight)
        .map(({ textContent }) => textContent)
      const canvas = document.createElement('canvas').getContext('2d')!
      const options = Array.from(form.querySelectorAll('select')).flatMap((select) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(select)
        canvas.font = font
        const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
        const space = select.clientWidth - padding - arrowWidth
        return Array.from(select.options)
          .map(({ text }) => text)
          .filter((text) => canvas.measureText(text).width > space)
      })
      return [...labels, ...options].map((text) => text.trim())
    })
}
