// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Which artifact of flexpool has the part that a key belongs to, for the refusal of a key whose part is not on the class path. A
 * resource beside this class lists them: core names no feature.
 */
final class PartArtifacts {
    private static final String LIST = "part-artifacts.properties";
    private static final String POOLS = "pools.";

    private PartArtifacts() {}

    /** That a key, as it stands after {@code flexpool.}, needs an artifact; null if no part of flexpool has such a key. */
    static @Nullable String missing(String rest) {
        Properties artifacts = new Properties();
        try (InputStream list = PartArtifacts.class.getResourceAsStream(LIST)) {
            if (list != null) {
                artifacts.load(list);
            }
        } catch (IOException unreadable) {
            return null;
        }
        for (String group : artifacts.stringPropertyNames()) {
            boolean common = rest.equals(group) || rest.startsWith(group + ".");
            boolean ofPool = rest.startsWith(POOLS) && (rest.endsWith("." + group) || rest.contains("." + group + "."));
            if (common || ofPool) {
                return "needs io.flexpool:" + artifacts.getProperty(group) + " on the class path, which has this key";
            }
        }
        return null;
    }
}
