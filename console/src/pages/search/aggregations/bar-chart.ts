import type { EChartsCoreOption } from 'echarts/core'

const COLOUR = '#0f7f74'

/** Bars of counts: standing beside each other where they have an order of their own (`over`), else lying, largest on top. */
export function barChart(counts: { name: string; count: number }[], ordered: boolean): EChartsCoreOption {
  const listed = ordered ? counts : counts.toReversed()
  const names = { type: 'category', data: listed.map(({ name }) => name), axisTick: { show: false } }
  const numbers = { type: 'value', minInterval: 1 }
  const label = { width: 130, overflow: 'truncate' }
  return {
    grid: { left: 8, right: 16, top: 8, bottom: 4, containLabel: true },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: ordered ? names : numbers,
    yAxis: ordered ? numbers : { ...names, axisLabel: label },
    series: [
      {
        type: 'bar',
        data: listed.map(({ count }) => count),
        barMaxWidth: ordered ? 36 : 18,
        itemStyle: { color: COLOUR },
      },
    ],
  }
}
