/* types.mjs - checks the types of programs for the engines and of the programs of a document.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { web } from './support.mjs';

const run = promisify(execFile);
const strict = { strict: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] };

/** Fails unless the types in a program of the build directory are right.
 *  @param engine folder of node_modules that stands for Phaser */
export async function checkTypes(file, engine = 'phaser') {
    const config = join(web, `tsconfig.${engine}.${basename(file)}.json`);
    await writeFile(config, JSON.stringify({ compilerOptions: { ...strict, paths: { phaser: [`./node_modules/${engine}/types/phaser.d.ts`] } }, files: [file] }));
    try {
        await run('node', ['node_modules/typescript/bin/tsc', '-p', config], { cwd: web });
    } catch ({ stdout }) {
        assert.fail(stdout);
    } finally {
        await rm(config);
    }
}

/** Checks the programs of a document that import an entry of the package. */
export async function checkPrograms(document, entry, engine = 'phaser') {
    const text = await readFile(join(process.env.PIXVERLET_SOURCE, document), 'utf8'), programs = [...text.matchAll(/^```js\n([^]*?)^```/gm)].map(([, program]) => program).filter((program) => program.includes(`from '${entry}'`));
    assert.ok(programs.length > 0);
    for (const [i, program] of programs.entries()) {
        const file = join(web, `${entry.replace('/', '_')}_${engine}_${i + 1}.mjs`);
        await writeFile(file, program);
        await checkTypes(file, engine);
        await rm(file);
    }
}
