/** Where a checkout, a package and an image have the pages that are built. */

import { fileURLToPath } from 'node:url'

/** The web console. */
export const CONSOLE = fileURLToPath(new URL('../../console/dist', import.meta.url))
/** The documentation: the site, with the text of each page as `index.md`. */
export const HELP = fileURLToPath(new URL('../../site/dist', import.meta.url))
