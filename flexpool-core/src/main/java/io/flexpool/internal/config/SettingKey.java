// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.monitoring.ConfigKey;

/** A key whose values core reads and checks: one of its own, or one of a part. */
public interface SettingKey {
    /** How it is documented. */
    ConfigKey key();

    /** What its value may be. */
    ValueRule rule();
}
