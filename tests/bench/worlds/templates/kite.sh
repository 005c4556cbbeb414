mkdir -p kite/src kite/test kite/scripts kite/public; cd kite; git init -q
cat > package.json <<'X'
{
  "name": "kite",
  "version": "0.9.1",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "tsc -p .",
    "test": "tsc -p . && node --test test/",
    "lint": "eslint src scripts",
    "format": "prettier --check .",
    "start": "node dist/server.js",
    "seed": "node scripts/seed.mjs",
    "posttest": "echo tests finished",
    "deploy": "node scripts/deploy.mjs"
  }
}
X
cat > tsconfig.json <<'X'
{"compilerOptions": {"target": "ES2022", "module": "NodeNext", "moduleResolution": "NodeNext", "strict": true, "outDir": "dist", "rootDir": "src", "skipLibCheck": true, "types": [], "lib": ["ES2022", "DOM"]}, "include": ["src"]}
X
cat > src/route.ts <<'X'
export class RouteError extends Error {
  constructor(public readonly path: string) {
    super(`no route: ${path}`);
  }
}

export type Handler = (params: Record<string, string>) => string;

export class Router {
  private routes: [RegExp, string[], Handler][] = [];

  add(pattern: string, handler: Handler): this {
    const names: string[] = [];
    const re = pattern.replace(/:(\w+)/g, (_, n: string) => (names.push(n), "([^/]+)"));
    this.routes.push([new RegExp(`^${re}$`), names, handler]);
    return this;
  }

  run(path: string): string {
    for (const [re, names, handler] of this.routes) {
      const m = re.exec(path);
      if (m) return handler(Object.fromEntries(names.map((n, i) => [n, m[i + 1] ?? ""])));
    }
    throw new RouteError(path);
  }
}
X
cat > src/queue.ts <<'X'
export async function retry<T>(job: () => Promise<T>, tries = 3): Promise<T> {
  let last: unknown;
  for (let n = 1; n <= tries; n++) {
    try {
      return await job();
    } catch (error) {
      last = error;
      console.error(`try ${n}/${tries} failed: ${(error as Error).message}`);
    }
  }
  throw last;
}
X
printf 'export { Router, RouteError } from "./route.js";\nexport { retry } from "./queue.js";\n' > src/index.ts
cat > test/route.test.mjs <<'X'
import test from "node:test";
import assert from "node:assert/strict";
import { Router, RouteError, retry } from "../dist/index.js";

test("runs the handler", () => {
  assert.equal(new Router().add("/s/:id", (p) => p.id).run("/s/KBOS"), "KBOS");
});
test("error: unknown path throws RouteError", () => {
  assert.throws(() => new Router().run("/nope"), RouteError);
});
test("retry fails twice, then works", async () => {
  let n = 0;
  const v = await retry(async () => {
    if (++n < 3) throw new Error("ECONNREFUSED");
    return "ok";
  });
  assert.equal(v, "ok");
});
test("retry gives up", async () => {
  await assert.rejects(retry(async () => { throw new Error("ETIMEDOUT"); }), /ETIMEDOUT/);
});
X
cat > scripts/seed.mjs <<'X'
import fs from "node:fs";
const rows = JSON.parse(fs.readFileSync(process.argv[2] ?? "scripts/seed.json", "utf8"));
for (const r of rows) {
  if (!r.id) {
    console.warn("warning: row without id skipped:", JSON.stringify(r));
    continue;
  }
  console.log("seeded", r.id);
}
X
printf '[{"id":"KBOS"},{"name":"nameless"},{"id":"KSFO"}]\n' > scripts/seed.json
cat > scripts/deploy.mjs <<'X'
console.log("uploading 14 files to http://127.0.0.1:8999 ...");
try {
  await fetch("http://127.0.0.1:8999/upload", { method: "POST" });
  console.log("deployed");
} catch (e) {
  console.error("deploy failed:", e.cause?.code ?? e.message);
}
X
printf 'export default [{ files: ["**/*.mjs", "**/*.js"], rules: { "no-undef": "off", "no-unused-vars": "warn", "eqeqeq": "error" } }];\n' > eslint.config.mjs
printf 'const unused = 1;\nfunction same(a, b) {\n  return a == b;\n}\nexport { same };\n' > scripts/legacy.mjs
printf '<!doctype html>\n<html lang="en"><head><title>Error page</title></head><body><p>Something failed.</p></body></html>\n' > public/error.html
printf 'node_modules/\ndist/\n' > .gitignore
printf '# Kite\n\nA tiny router. Throws `RouteError: no route` when nothing matches.\n' > README.md
git add -A; git commit -qm "A tiny router with retries"; git checkout -qb wip/error-handling; printf '\nErrors bubble up.\n' >> README.md; git commit -qam "Describe error handling"; git checkout -q main
cd ..; cp -a kite kitex; cd kitex
sed -i 's/handler: Handler): this/handler: Handler): string/; s/m\[i + 1\] ?? ""/m[i + 1]/' src/route.ts; sed -i 's/return "ok"/return "okay"/' test/route.test.mjs; git commit -qam "Rework the router"; cd ..
# kite with broken test only
cp -a kite kitet; cd kitet; sed -i 's/return "ok"/return "okay"/' test/route.test.mjs; git commit -qam "Say okay"; cd ..
