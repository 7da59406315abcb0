import type { Page } from 'playwright-core'

/** The contrast ratio between the text of visible elements and its background (WCAG 2.2, 1.4.3): 1 to 21. */
export function contrasts(
  page: Page,
  selector: string,
): Promise<{ what: string; ratio: number }[]> {
  return page.evaluate((selector) => {
    type Color = [red: number, green: number, blue: number, alpha: number]

    const read = (css: string): Color => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = css.match(/[\d.]+/g)?.map(Number) ?? []
      return [red, green, blue, alpha]
    }
    const behind = (element: Element | null): Color => {
      if (!element) return [255, 255, 255, 1]
      const color = read(getComputedStyle(element).backgroundColor)
      return color[3] > 0.99 ? color : behind(element.parentElement)
    }
    const luminance = (color: Color): number => {
      const [red, green, blue] = color.slice(0, 3).map((value) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
    }
    const hasText = (element: Element) =>
      Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent?.trim())

    return Array.from(document.querySelectorAll(selector))
      .filter((element) => element.checkVisibility() && hasText(element))
      .map((element) => {
        const text = luminance(read(getComputedStyle(element).color))
        const ground = luminance(behind(element))
        const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
        return { what: element.textContent!.trim().slice(0, 40), ratio }
      })
  }, selector)
}
