// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meaning of a written key, and the probable meaning of an unknown key. Immutable. */
final class WrittenKey {
    /** Begins the key of a pool's own section. */
    static final String POOLS = "pools.";

    private static final String SECTION = "pools";
    static final String ROOT = "flexpool";
    /** A longer text is no misspelt key, and the comparison takes the square of its length. */
    private static final int LONGEST = 300;

    private final Collection<String> known;

    /** Takes the known keys, without prefix. */
    WrittenKey(Collection<String> known) {
        this.known = known;
    }

    /** A key of a pool's own section. */
    record OfPool(String pool, String key) {}

    /**
     * The key of a pool's own section after {@code flexpool.}; null for other keys. A pool's name may hold dots, so the
     * longest known key at the end counts.
     */
    @Nullable
    OfPool ofPool(String rest) {
        if (!rest.startsWith(POOLS)) {
            return null;
        }
        String section = rest.substring(POOLS.length());
        for (int dot = section.indexOf('.', 1); dot > 0; dot = section.indexOf('.', dot + 1)) {
            String key = section.substring(dot + 1);
            if (known.contains(key) && !key.equals(CoreKey.NAME.key().name())) {
                return new OfPool(section.substring(0, dot), key);
            }
        }
        return null;
    }

    /**
     * The key of an environment variable, without {@code flexpool.}; null without one. A variable has neither hyphens
     * nor dots, so a pool's name is found by its letters and digits.
     *
     * @param pool the pool that is built
     */
    @Nullable
    String ofVariable(String variable, String pool) {
        String name = AbsentKeys.relaxed(variable).substring(ROOT.length());
        String common = relaxed(name);
        if (common != null) {
            return common;
        }
        for (int from = SECTION.length() + 1; name.startsWith(SECTION) && from < name.length(); from++) {
            String key = relaxed(name.substring(from));
            if (key != null) {
                String section = name.substring(SECTION.length(), from);
                return POOLS + (section.equals(AbsentKeys.relaxed(pool)) ? pool : section) + "." + key;
            }
        }
        return null;
    }

    private @Nullable String relaxed(String name) {
        for (String key : known) {
            if (AbsentKeys.relaxed(key).equals(name)) {
                return key;
            }
        }
        return null;
    }

    /** The message on an unknown key, with a similar known key, if any, under the written prefix. */
    String unknown(String written) {
        int dot = written.indexOf('.');
        String root = dot < 0 ? written : written.substring(0, dot);
        String rest = dot < 0 ? "" : written.substring(dot + 1);
        String missing = root.equals(ROOT) ? AbsentKeys.missing(rest, known) : null;
        if (missing != null) {
            return missing;
        }
        if (written.length() > LONGEST) {
            return "no such key";
        }
        if (Words.alike(root, ROOT)) {
            return "no such key" + nearest(rest);
        }
        // Another program's key, unless only the prefix is missing.
        String bare = Words.nearest(written, known);
        return 3 * Words.distance(written, bare) <= written.length()
                ? "no such key; the nearest is " + ConfigReader.PREFIX + bare
                : "unknown key: flexpool's keys begin with " + ConfigReader.PREFIX;
    }

    private String nearest(String rest) {
        Guess best = guess(ConfigReader.PREFIX, rest);
        if (rest.startsWith(POOLS)) {
            // Any part of the text may be the pool's name.
            for (int dot = rest.indexOf('.', POOLS.length()); dot >= 0; dot = rest.indexOf('.', dot + 1)) {
                Guess other = guess(ConfigReader.PREFIX + rest.substring(0, dot + 1), rest.substring(dot + 1));
                best = other.distance() < best.distance() ? other : best;
            }
        }
        return best.near() ? "; the nearest is " + best.prefix() + best.meant() : "";
    }

    private Guess guess(String prefix, String rest) {
        List<String> here = new ArrayList<>(known);
        if (!prefix.equals(ConfigReader.PREFIX)) {
            here.remove(CoreKey.NAME.key().name());
        }
        String meant = Words.nearest(rest, here);
        return new Guess(prefix, rest, meant, Words.distance(rest, meant));
    }

    /** The probable meaning of the text after a prefix. */
    private record Guess(String prefix, String rest, String meant, int distance) {
        /** Whether at least half of the text is correct. */
        boolean near() {
            return distance <= Math.max(1, rest.length() / 2);
        }
    }
}
