import type { Page } from 'playwright-core'

/** Measures the contrast ratio between the text of visible elements and its background (WCAG 2.2, 1.4.3): 1 to 21. */
export function measureContrast(
  page: Page,
  selector: string,
): Promise<{ text: string; ratio: number }[]> {
  return page.evaluate((selector) => {
    type Color = [red: number, green: number, blue: number, alpha: number]

    const read = (css: string): Color => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = css.match(/[\d.]+/g)?.map(Number) ?? []
      // A mixed color has parts from 0 to 1.
      const scale = css.startsWith('color(srgb') ? 255 : 1
      return [scale * red, scale * green, scale * blue, alpha]
    }
    const backgroundOf = (element: Element | null): Color => {
      if (!element) return [255, 255, 255, 1]
      const color = read(getComputedStyle(element).backgroundColor)
      return color[3] > 0.99 ? color : backgroundOf(element.parentElement)
    }
    const luminance = (color: Color): number => {
      const [red, green, blue] = color.slice(0, 3).map((value) => {
        const level = value / 255
        return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
    }
    const hasText = (element: Element) =>
      Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent?.trim())

    return Array.from(document.querySelectorAll(selector))
      .filter((element) => element.checkVisibility() && hasText(element))
      .map((element) => {
        const textLuminance = luminance(read(getComputedStyle(element).color))
        const backgroundLuminance = luminance(backgroundOf(element))
        const ratio =
          (Math.max(textLuminance, backgroundLuminance) + 0.05) /
          (Math.min(textLuminance, backgroundLuminance) + 0.05)
        return { text: element.textContent!.trim().slice(0, 40), ratio }
      })
  }, selector)
}
