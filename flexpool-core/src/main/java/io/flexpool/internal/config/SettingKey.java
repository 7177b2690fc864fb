// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.monitoring.ConfigKey;

/** A key with values that core reads and checks: of core, or of a part. */
public interface SettingKey {
    /** The documented key. */
    ConfigKey key();

    /** The rule for its values. */
    ValueRule rule();
}
