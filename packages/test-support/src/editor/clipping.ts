import type { Page } from 'playwright-core'

/**
 * Compares the texts of the open form with the space for them. Includes fields that the form hides at the moment.
 * @returns the labels and units that need a second line, and the options and placeholders that their field cuts off.
 */
export function findClippedTexts(page: Page): Promise<string[]> {
  const forms = '#dialog-form, #node-config-dialog-edit-form'
  return page
    .locator(forms)
    .last()
    .evaluate((form) => {
      const lineHeight = 20
      const arrowWidth = 20
      const all = <Type extends HTMLElement>(selector: string) =>
        Array.from(form.querySelectorAll<Type>(selector))
      for (const more of all<HTMLDetailsElement>('details')) {
        more.open = true
        more.style.display = ''
      }
      for (const row of all('.form-row')) row.style.display = ''
      const labels = all('.form-row > label').filter(
        ({ offsetHeight }) => offsetHeight >= 2 * lineHeight,
      )
      const units = all('.parlando-number + span').filter((unit) => {
        const field = unit.previousElementSibling!.getBoundingClientRect()
        return unit.getBoundingClientRect().bottom > field.bottom
      })
      const canvas = document.createElement('canvas').getContext('2d')!
      const fits = (text: string, field: HTMLElement, usedWidth = 0) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field)
        canvas.font = font
        const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
        return canvas.measureText(text).width <= field.clientWidth - padding - usedWidth
      }
      const options = all<HTMLSelectElement>('select').flatMap((select) =>
        Array.from(select.options).filter(({ text }) => !fits(text, select, arrowWidth)),
      )
      const placeholders = all<HTMLInputElement>('input[placeholder]')
        .filter((input) => !fits(input.placeholder, input))
        .map(({ placeholder }) => placeholder)
      const elements = [...labels, ...units, ...options]
      return [...elements.map(({ textContent }) => textContent!.trim()), ...placeholders]
    })
}
