/** No provider: orders count at once and nothing leaves the house. The embedded default. */

import type { Payments } from './port.ts'

/** `returnUrl`: where the owner goes on unless it says so itself, for there is nothing to pay and no portal. */
export const localPayments = ({ returnUrl }: { returnUrl: string }): Payments => ({
  register: async ({ id }) => `local-${id}`,
  checkout: async (_payer, _order, back) => ({ url: back?.success ?? returnUrl, paid: true }),
  portal: async () => returnUrl,
  end: async () => undefined,
  remove: async () => undefined,
  notices: null,
})
