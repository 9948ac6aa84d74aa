// The resident memory of this process in MiB, as the kernel counts it.
#pragma once

namespace bench {

double current_rss_mib();
double peak_rss_mib();  // the highest so far, of this process alone

}  // namespace bench
