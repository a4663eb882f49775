// The layout of Eleventy, which reads no TypeScript itself.
import { layoutOf } from './layout.ts'

export function render({ content, page, site }) {
  return layoutOf(site.pages.get(site.sourceOf(page)), content, site.sections)
}
