"""Reports as pages: one self-contained HTML file each, without network, safe against hostile names."""
