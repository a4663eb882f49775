import type { EChartsCoreOption } from 'echarts/core'

/** Horizontal bars, the largest on top, each with its number. */
export const barOption = (bars: readonly { name: string; count: number }[], malicious: boolean): EChartsCoreOption => ({
  animation: false,
  grid: { left: 4, right: 48, top: 4, bottom: 4, containLabel: true },
  tooltip: { trigger: 'item', confine: true },
  xAxis: { type: 'value', minInterval: 1, splitNumber: 4 },
  yAxis: {
    type: 'category',
    inverse: true,
    data: bars.map(({ name }) => name),
    axisTick: { show: false },
    axisLabel: { width: 130, overflow: 'truncate', interval: 0 },
  },
  series: [
    {
      type: 'bar',
      name: 'entities',
      color: malicious ? '#e03131' : '#0f7f74',
      data: bars.map(({ count }) => count),
      barCategoryGap: '30%',
      label: { show: true, position: 'right' },
    },
  ],
})
