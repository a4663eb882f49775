import { killsUnderScans } from './harness/live/scan-kills.ts'

killsUnderScans(Number(process.env.HARRIER_CHAOS_SCAN_ROUNDS ?? 2), 12)
