// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.Locale;

/** The severity of a finding, in SARIF's terms. */
enum Severity {
    /** No damage yet. */
    NOTE,
    /** Damage under load. */
    WARNING,
    /** Damage now. */
    ERROR;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
