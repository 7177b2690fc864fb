// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;

/**
 * A harmful setting and its position. Immutable.
 *
 * @param line the line, from 1
 * @param what the problem with its figures, without passwords
 * @param instead the recommended line
 */
record Finding(Rule rule, Path file, int line, String what, String instead) {
    static Finding of(Rule rule, Setting at, String what) {
        return new Finding(rule, at.file(), at.line(), what, rule.instead());
    }
}
