/** esbuild bundles a style sheet as text if the import says `with { type: 'text' }`. */
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild exports it so
  export default text;
}
