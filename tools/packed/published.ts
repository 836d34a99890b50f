// What a packed package must be for those who find it in a registry: who made it, what it needs,
// what changed, and pages whose links lead somewhere.

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Ranges = Readonly<Record<string, string>>;

export interface Packed {
  /** The manifest as it stands in the tarball, where a range is what users get. */
  readonly manifest: Manifest;
  /** All files of the tarball by their path in the package. */
  readonly files: ReadonlyMap<string, string>;
  /** The folder of the package in the repository. */
  readonly directory: string;
}

export interface Around {
  /** The address of the repository, as its pages begin. */
  readonly repository: string;
  /** Whether the repository has a file or folder at a path. */
  readonly has: (path: string) => boolean;
  /** The manifests of the workspace's packages. */
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** Everything that is wrong with a package, each as one sentence. */
export function faultsOf(packed: Packed, around: Around): readonly string[] {
  return [
    ...identityFaults(packed, around),
    ...rangeFaults(packed.manifest),
    ...peerFaults(packed, around),
    ...fileFaults(packed),
    ...linkFaults(packed, around),
  ];
}

function identityFaults({ manifest, directory }: Packed, { repository }: Around): readonly string[] {
  const { keywords = [], homepage, bugs, repository: source } = manifest;
  const page = `${repository}/tree/main/${directory}#readme`;
  return [
    ...(keywords.includes("opstate") && keywords.length >= 3 ? [] : ['"keywords" are "opstate" and two more at least']),
    ...(homepage === page ? [] : [`"homepage" is ${page}`]),
    ...(bugs?.url === `${repository}/issues` ? [] : [`"bugs" is { "url": "${repository}/issues" }`]),
    ...(source?.url === `git+${repository}.git` && source.directory === directory
      ? []
      : [`"repository" is git+${repository}.git with the directory ${directory}`]),
  ];
}

/**
 * An exact version would give an application a second copy of what it has, and keep a fix from it.
 * A peer is a range too: it is the application's own copy.
 */
function rangeFaults({ dependencies = {}, peerDependencies = {} }: Manifest): readonly string[] {
  const exact = Object.entries(dependencies).filter(([, range]) => !range.startsWith("^"));
  const pinned = Object.entries(peerDependencies).filter(([, range]) => /^\d|^(?:workspace|catalog):/.test(range));
  return [
    ...exact.map(([name, range]) => `the dependency ${name} "${range}" begins with "^": use "catalog:published"`),
    ...pinned.map(([name, range]) => `the peer ${name} "${range}" is a range`),
  ];
}

/** What is imported is declared, and so are the peers of what a package brings along. */
function peerFaults({ manifest, files }: Packed, { manifests }: Around): readonly string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const declared = new Set([manifest.name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  const imported = new Set<string>();
  for (const [file, text] of files) {
    if (/^dist\/.*\.(?:js|d\.ts|svelte)$/.test(file)) for (const name of packagesIn(text)) imported.add(name);
  }
  const brought = Object.keys(dependencies).flatMap((dependency) => {
    const { peerDependencies: peers = {}, peerDependenciesMeta: meta = {} } = manifests.get(dependency) ?? {};
    return Object.keys(peers).filter((peer) => meta[peer]?.optional !== true && !declared.has(peer));
  });
  return [
    ...[...imported].filter((name) => !declared.has(name)).map((name) => `${name} is imported and not declared`),
    ...brought.map((peer) => `the peer ${peer} of a dependency is declared`),
    ...Object.keys(peerDependenciesMeta)
      .filter((name) => !(name in peerDependencies))
      .map((name) => `${name} in "peerDependenciesMeta" is a peer`),
  ];
}

/** The packages that a module imports, its types too; what a comment shows is no import. */
function packagesIn(text: string): readonly string[] {
  const statements = text.matchAll(
    /^(?:import|export)\b[^"';]*?\bfrom\s*["']([^"']+)["']|^import\s*["']([^"']+)["']/gm,
  );
  const calls = text.matchAll(/^(?!\s*(?:\*|\/\/)).*\bimport\(["']([^"']+)["']\)/gm);
  return [...statements, ...calls]
    .map(([, from, plain]) => from ?? plain ?? "")
    .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
}

function fileFaults({ manifest, files }: Packed): readonly string[] {
  const missing = ["README.md", "LICENSE", "CHANGELOG.md"].filter((name) => !files.has(name));
  const changes = files.get("CHANGELOG.md");
  return [
    ...missing.map((name) => `${name} is in the tarball`),
    ...(changes === undefined || changes.includes(`\n## ${manifest.version}\n`)
      ? []
      : [`CHANGELOG.md has a section "## ${manifest.version}"`]),
  ];
}

/** A registry shows the page alone: nothing stands beside it that a relative link could name. */
function linkFaults({ files }: Packed, { repository, has }: Around): readonly string[] {
  const page = files.get("README.md") ?? "";
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "code");
  const anchors = new Set([...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => anchorOf(title)));
  return linksIn(prose).flatMap((link) => {
    if (link.startsWith("#")) return anchors.has(link.slice(1)) ? [] : [`the README has a heading for ${link}`];
    if (!link.startsWith("https://")) return [`the README's link ${link} begins with https://`];
    const path = new RegExp(`^${repository}/(?:blob|tree|raw)/main/([^#?]*)`).exec(link)?.[1];
    return path === undefined || has(path) ? [] : [`the repository has what the README's link ${link} names`];
  });
}

function linksIn(markdown: string): readonly string[] {
  const inline = markdown.matchAll(/\]\(\s*<?([^)\s>]+)/g);
  const named = markdown.matchAll(/^\[[^\]]+\]:\s*<?([^\s>]+)/gm);
  const html = markdown.matchAll(/\b(?:href|src)="([^"]+)"/g);
  return [...inline, ...named, ...html].map(([, link]) => link ?? "");
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
