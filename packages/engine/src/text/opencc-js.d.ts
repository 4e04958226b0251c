/** Pairs such as `與 与|萬 万`. */
declare module 'opencc-js/dict/*' {
  const pairs: string;
  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export default pairs;
}
